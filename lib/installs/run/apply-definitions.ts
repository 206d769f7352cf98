import { and, arrayOverlaps, eq } from 'drizzle-orm'
import { type Definition, type Definitions, FileFailure } from '@/lib/archives/plugin-file'
import { around } from '@/lib/around'
import { policies, type RecordCounts } from '@/lib/db/schema'
import type { Db } from '@/lib/db/sql'
import { baseDepth } from '@/lib/definitions/base-depth'
import { DefinitionError } from '@/lib/definitions/definition-faults'
import type { RoleDefinition } from '@/lib/definitions/policy'
import { typesByName } from '@/lib/definitions/resolve-type'
import { NO_RECORDS } from '@/lib/installs/file-report'
import { definePolicy, defineRole } from '@/lib/policies/define-policy'
import { markingPolicies } from '@/lib/policies/mark-invalid'
import type { Installed } from '@/lib/registry/registry-rows'
import { defineEntity } from '@/lib/tables/define-entity'
import { defineSchema } from '@/lib/tables/define-schema'
import { defineType } from '@/lib/tables/define-type'
import { type DefineOutcome, definitionTransaction } from '@/lib/tables/definition-transaction'
import { describeStep } from '@/lib/tables/describe-step'
import { guessRenames } from '@/lib/tables/guess-renames'
import type { InstallContext } from '../points'
import { guardDefinition } from './guard-definition'

/** Policies fit entities as they did before. */
const CHANGES_NO_FIELDS: readonly Definitions['kind'][] = ['role', 'policy', 'webhook']

type Applied = {
  counts: RecordCounts
  changes: string[]
  /** Names of the new entities. */
  created: string[]
}

/**
 * Creates or changes the definitions of one file, as far as the installer may; `counts` are
 * of definitions. Throws `FileFailure`; the caller's transaction makes it all or nothing.
 */
export async function applyDefinitions(
  tx: Db,
  definitions: Definitions,
  context: InstallContext,
): Promise<Applied> {
  const apply = () => applyAll(tx, definitions, context)
  if (CHANGES_NO_FIELDS.includes(definitions.kind)) return apply()
  const { done, notes } = await markingPolicies(tx, apply)
  return { ...done, changes: [...done.changes, ...notes] }
}

async function applyAll(
  tx: Db,
  definitions: Definitions,
  context: InstallContext,
): Promise<Applied> {
  const applied: Applied = { counts: { ...NO_RECORDS }, changes: [], created: [] }
  for (const [index, definition] of inOrder(definitions)) {
    const { status, steps, notes } = await around(
      context,
      'installDefinition',
      { tx, definition },
      (used) => defineGuarded(tx, definition, used),
    ).catch((error) => at(index, error))
    applied.counts[status]++
    applied.changes.push(...notes, ...guessRenames(steps), ...steps.map(describeStep))
    if (definition.kind === 'entity' && status === 'created')
      applied.created.push(definition.item.name)
  }
  return applied
}

/** In one transaction, so that the rights are checked against the state that the definition changes. */
const defineGuarded = (
  tx: Db,
  definition: Definition,
  context: InstallContext,
): Promise<DefineOutcome> =>
  definitionTransaction(tx, (inner) =>
    guardDefinition(inner, context, definition, (installed) =>
      define(inner, definition, context, installed),
    ),
  )

/** Numbered as in the file, in the order of processing: types after their bases. */
export function inOrder(definitions: Definitions): [number, Definition][] {
  const numbered = [...definitionsIn(definitions).entries()]
  if (definitions.kind !== 'type') return numbered
  const types = typesByName(definitions.items)
  const depths = definitions.items.map((type) => baseDepth(type, types))
  return numbered.sort(([a], [b]) => (depths[a] ?? 0) - (depths[b] ?? 0))
}

function definitionsIn({ items, ...rest }: Definitions): Definition[] {
  const positionOf = (index: number) =>
    'positions' in rest && rest.positions
      ? { ...rest.positions, at: rest.positions.first + index }
      : undefined
  return items.map((item, index) => {
    const authored = rest.authored?.[index]
    return { ...rest, authored, item, position: positionOf(index) } as Definition
  })
}

function define(
  tx: Db,
  definition: Definition,
  { pluginId, failed }: InstallContext,
  installed: Installed,
): Promise<DefineOutcome> {
  switch (definition.kind) {
    case 'type':
      return defineType(tx, definition.item, pluginId)
    case 'schema':
      return defineSchema(tx, definition.item, pluginId, definition.position, installed)
    case 'entity':
      return defineEntity(
        tx,
        definition.item,
        pluginId,
        failed.schema,
        definition.position,
        installed,
      )
    case 'role':
      return defineRoleAndNote(tx, definition, pluginId)
    case 'policy':
      return definePolicy(tx, definition.item, pluginId)
    case 'webhook':
      throw new DefinitionError('Invalid definition', [{ message: NO_WEBHOOKS }])
  }
}

/** A layer that sends them carries them out at the point `installDefinition`. */
const NO_WEBHOOKS = 'This server sends no webhooks, so it takes none from plugins'

async function defineRoleAndNote(
  tx: Db,
  { item, granted }: Extract<Definition, { kind: 'role' }>,
  pluginId: string,
): Promise<DefineOutcome> {
  const { notes, ...outcome } = await defineRole(tx, item, pluginId)
  return { ...outcome, notes: [...notes, ...(await idleRoleNotes(tx, item, granted))] }
}

function at(index: number, error: unknown): never {
  const indexed = <T extends object>(details: readonly T[]) =>
    details.map((detail) => ({ index, ...detail }))
  if (error instanceof FileFailure)
    throw new FileFailure(error.verdict, indexed(error.details), error.detailCount, error)
  if (!(error instanceof DefinitionError)) throw error
  throw new FileFailure(error.verdict, indexed(error.details), error.count, error)
}

/** Warns when neither the archive nor an installed policy grants a role anything. */
async function idleRoleNotes(
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
