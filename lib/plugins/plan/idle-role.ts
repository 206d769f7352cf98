import { and, arrayOverlaps, eq } from 'drizzle-orm'
import { policies } from '@/lib/db/schema'
import type { Db } from '@/lib/db/types'
import type { RoleDefinition } from '@/lib/definitions/policy'
import type { PlannedFile } from '@/lib/plugins/plugin-file'

/** Warns when neither the archive nor an installed policy grants a role anything. */
export async function idleRoleNotes(
  tx: Db,
  { name }: RoleDefinition,
  grantedByArchive: readonly string[] = [],
): Promise<string[]> {
  const key = name.toLowerCase()
  if (grantedByArchive.some((role) => role === '*' || role === key)) return []
  const [grant] = await tx
    .select({ name: policies.name })
    .from(policies)
    .where(and(eq(policies.allow, true), arrayOverlaps(policies.principals, [key, '*'])))
    .limit(1)
  return grant ? [] : [`The role "${name}" grants nothing: no policy allows it anything`]
}

/** Adds to the files of roles which roles the policies of the archive grant something. */
export function withGrantedRoles(files: readonly PlannedFile[]): PlannedFile[] {
  const granted = files.flatMap(({ definitions, failure }) =>
    definitions?.kind === 'policy' && !failure ? definitions.items.flatMap(rolesGranted) : [],
  )
  return files.map((file) =>
    file.definitions?.kind === 'role'
      ? { ...file, definitions: { ...file.definitions, granted } }
      : file,
  )
}

const rolesGranted = ({ allow, principals }: { allow: boolean; principals: readonly string[] }) =>
  allow ? principals.map((name) => name.toLowerCase()) : []
