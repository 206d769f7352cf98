import { inArray, sql } from 'drizzle-orm'
import { policies, roles } from '@/lib/db/schema'
import { type Db, rows } from '@/lib/db/sql'
import { AppError, type Validation } from '@/lib/errors'
import { roleNameFault } from './role-name'

/** Why people could take some of these names for others, by name; roles that plugins describe or policies name are no new ones. */
export async function faultsOfRoles(
  db: Db,
  names: readonly string[],
): Promise<Map<string, string>> {
  const faults = new Map(
    names.flatMap((name) => {
      const why = roleNameFault(name)
      return why === null ? [] : [[name, why] as const]
    }),
  )
  if (faults.size === 0) return faults
  for (const { name } of await installed(db, [...faults.keys()])) faults.delete(name)
  return faults
}

const installed = (db: Db, names: string[]) =>
  rows<{ name: string }>(
    db,
    sql`select ${roles.name} as name from ${roles} where ${inArray(roles.name, names)} union
      select principal from ${policies}, jsonb_array_elements_text(${policies.definition} -> 'principals') principal
        where ${inArray(sql`principal`, names)}`,
  )

/** Throws `invalid_input` for names in `names` that people could take for others; those in `held` are no new ones either. */
export async function requireClearRoles(
  db: Db,
  names: readonly string[],
  held: readonly string[] = [],
  fieldOf = (at: number) => `roles.${at}`,
): Promise<void> {
  const faults = await faultsOfRoles(
    db,
    names.filter((name) => !held.includes(name)),
  )
  const validations = names.flatMap((name, at): Validation[] => {
    const error = faults.get(name)
    return error === undefined ? [] : [{ field: fieldOf(at), error }]
  })
  const [first] = validations
  if (first) throw new AppError('invalid_input', `${first.field}: ${first.error}`, { validations })
}
