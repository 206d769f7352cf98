import { sql } from 'drizzle-orm'
import { users } from '@/lib/db/schema'

/** Whether a row of `users` has the role ADMIN; role names are case-insensitive, and its letters are those of ASCII. */
export const hasAdminRole = sql`exists (select from unnest(${users.roles}) role where lower(role collate "C") = 'admin')`
