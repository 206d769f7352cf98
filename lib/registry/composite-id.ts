import { type SQL, sql } from 'drizzle-orm'

/** The `persistenceId` of a key of several parts, from the text of their JSON object: its base64url. */
export const compositeId = (json: SQL): SQL =>
  sql`translate(encode(convert_to(${json}, 'UTF8'), 'base64'), E'+/=\n', '-_')`
