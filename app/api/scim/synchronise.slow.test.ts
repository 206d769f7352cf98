import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { rows } from '@/lib/db/sql'
import { freshDeps } from '@/lib/testing/deps'
import { ScimClient } from './testing/scim'
import { rowsOfScim, synchronise } from './testing/synchronise'

const deps = freshDeps({ SCIM_ROLES_MAP: '{"Group 1*":"EDITOR","Group*":"VIEWER"}' })

test('500 users and 50 groups are synchronised, and the second time changes no row', async () => {
  const client = await ScimClient.start(deps)
  await synchronise(client, 50)
  const first = await rowsOfScim(deps)
  expect(first.filter((row) => row.startsWith('users '))).toHaveLength(500)
  expect(first.filter((row) => row.startsWith('scim_members '))).toHaveLength(500)
  const roles = await rows<{ roles: string; count: number }>(
    deps.db,
    sql`select array_to_string(roles, '+') as roles, count(*)::int as count from engine.users group by 1 order by 1`,
  )
  expect(roles).toEqual([
    { roles: 'EDITOR+VIEWER', count: 110 },
    { roles: 'VIEWER', count: 390 },
  ])
  await synchronise(client, 50)
  expect(await rowsOfScim(deps)).toEqual(first)
}, 180_000)
