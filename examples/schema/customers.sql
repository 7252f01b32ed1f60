create table customers (
    id bigint primary key,
    name text not null,
    country char(2) not null
);
