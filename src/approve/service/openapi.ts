/** The description of the service, as it is published at `/openapi.json`. */
export const openapi = {
  openapi: "3.1.0",
  info: { title: "Foreclaim approval service", version: "1" },
  paths: {},
};
