import { type SQL, sql } from 'drizzle-orm'
import { policies } from '@/lib/db/schema'
import type { PolicyRule } from './rights'

/** The policies that concern any of `roles`, an SQL text array: a subquery that answers one JSON text. */
export const rulesFor = (roles: SQL) =>
  sql`(
    select coalesce(jsonb_agg(jsonb_build_object('entities', entities, 'actions', actions, 'allow', allow)), '[]')::text
    from ${policies}
    where '*' = any(principals) or principals && (select array_agg(lower(role)) from unnest(${roles}) role)
  )`.mapWith((json: string) => JSON.parse(json) as PolicyRule[])
