/** The request of the list of exports, for the server and the browser. */
export const EXPORTS = { key: ['exports'], path: '/api/exports' } as const
