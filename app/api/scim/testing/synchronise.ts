import { sql } from 'drizzle-orm'
import { rows } from '@/lib/db/sql'
import type { Deps } from '@/lib/deps'
import type { ScimClient } from './scim'

const userOf = (n: number) => ({
  ...{
    userName: `user${n}@e.org`,
    externalId: `ext-${n}`,
    displayName: `User ${n}`,
    active: n % 50 > 0,
  },
  name: { givenName: 'User', familyName: String(n) },
  emails: [{ value: `user${n}@e.org`, type: 'work', primary: true }],
})
const OF_EACH = 10
const membersOf = (group: number) =>
  Array.from({ length: OF_EACH }, (_, n) => `user${group * OF_EACH + n}@e.org`)

/** A cycle of ten users for each group: each one is looked up, and made or written again. */
export async function synchronise(client: ScimClient, groups: number): Promise<void> {
  const ids = new Map<string, string>()
  for (let n = 0; n < groups * OF_EACH; n++) {
    const user = userOf(n)
    const { Resources } = (await client.find('Users', `userName eq "${user.userName}"`)).body
    const known = Resources[0]?.id
    if (known) await client.send('PUT', `Users/${known}`, user)
    ids.set(user.userName, known ?? (await client.createUser(user.userName, user)))
  }
  for (let n = 0; n < groups; n++) {
    const filter = `displayName eq "Group ${n}"`
    const found = await client.find('Groups', filter, '&excludedAttributes=members')
    const members = membersOf(n).map((userName) => ids.get(userName) as string)
    const known = found.body.Resources[0]?.id
    if (!known) await client.createGroup(`Group ${n}`, members)
    const add = members.map((value) => ({ value }))
    if (known) await client.patch(`Groups/${known}`, [{ op: 'Add', path: 'members', value: add }])
  }
}

/** Every row with its version in the database, which changes when it is written. */
export const rowsOfScim = ({ db }: Deps) =>
  rows<{ row: string }>(
    db,
    sql.join(
      ['users', 'scim_users', 'scim_groups', 'scim_members', 'audit_log'].map(
        (table) =>
          sql`select concat_ws(' ', ${table}::text, t.xmin, t.ctid, t) as row from ${sql.identifier('engine')}.${sql.identifier(table)} t`,
      ),
      sql` union all `,
    ),
  ).then((found) => found.map(({ row }) => row).sort())
