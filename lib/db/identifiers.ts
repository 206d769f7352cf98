import { type SQL, sql } from 'drizzle-orm'
import type { TableName } from '@/lib/definitions/definition'

/** `"schema"."name"`, quoted. */
export const tableSql = ({ schema, name }: TableName): SQL =>
  sql`${sql.identifier(schema)}.${sql.identifier(name)}`

/** A text array as one bound parameter, whichever driver. */
export const textArray = (values: readonly string[]): SQL =>
  sql`array(select jsonb_array_elements_text(${JSON.stringify(values)}::jsonb))`
