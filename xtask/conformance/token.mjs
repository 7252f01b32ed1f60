// Every request of this process shows the server's token; the suite itself knows nothing of tokens.
import http from "node:http";
import { Agent, setGlobalDispatcher } from "undici";

const [name, value] = ["authorization", `Bearer ${process.env.RUNWARD_TOKEN}`];

// Most scenarios use `fetch`.
const withToken = (headers) =>
  Array.isArray(headers) ? [...headers, name, value] : { ...headers, [name]: value };
const show = (dispatch) => (options, handler) =>
  dispatch({ ...options, headers: withToken(options.headers) }, handler);
setGlobalDispatcher(new Agent().compose(show));

// Those that look at header lines use the older way.
const request = http.request;
http.request = (...words) => request(...words).setHeader(name, value);
