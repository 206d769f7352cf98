/** The query key of what is running on the server. */
export const TASKS_KEY = ['tasks'] as const
