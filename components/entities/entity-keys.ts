/** Query keys of responses, on the server and in the browser. */
export const columnsKey = (entity: string) => ['entity', entity, 'columns'] as const
export const adviceKey = (entity: string) => ['entity', entity, 'advice'] as const
export const ENTITIES_KEY = ['entities'] as const
export const viewsKey = (entity: string) => ['views', entity] as const
