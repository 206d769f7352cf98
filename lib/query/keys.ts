/** The query key of what is running on the server. */
export const TASKS_KEY = ['tasks'] as const

/** The request of the list of imports, for the server and the browser. */
export const IMPORTS = { key: ['imports'], path: '/api/imports' } as const

/** The request of the list of exports, for the server and the browser. */
export const EXPORTS = { key: ['exports'], path: '/api/exports' } as const
