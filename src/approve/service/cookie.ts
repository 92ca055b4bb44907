/** The names that pages, the service and its description agree on. */
export const cookieName = "foreclaim_session";
export const csrfHeader = "x-foreclaim-csrf";
