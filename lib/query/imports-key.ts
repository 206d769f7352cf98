/** The request of the list of imports, for the server and the browser. */
export const IMPORTS = { key: ['imports'], path: '/api/imports' } as const
