create table orders (
    id bigint primary key,
    customer_id bigint not null references customers (id),
    placed_at timestamptz not null,
    total_cents bigint not null -- {{ cents }} here is text: what a pattern imports is data
);
