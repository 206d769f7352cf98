import { isNotNull, sql } from 'drizzle-orm'
import { unionAll } from 'drizzle-orm/pg-core'
import type { Definitions, PlannedFile } from '@/lib/archives/plugin-file'
import { entities, entityTypes, policies, roles, schemas, webhooks } from '@/lib/db/schema'
import type { Db } from '@/lib/db/sql'
import { nearest } from '@/lib/values/nearest'

type Kind = Definitions['kind']

/** A definition that a plugin installed. */
export type Owned = { kind: Kind; name: string; pluginId: string | null }

const TABLES = {
  type: entityTypes,
  schema: schemas,
  entity: entities,
  role: roles,
  policy: policies,
  webhook: webhooks,
} as const

export async function loadOwned(db: Db): Promise<Owned[]> {
  const ownedOf = (kind: Kind) => {
    const { name, pluginId } = TABLES[kind]
    const columns = { kind: sql<Kind>`${kind}::text`, name, pluginId }
    return db.select(columns).from(TABLES[kind]).where(isNotNull(pluginId))
  }
  const [first, second, ...rest] = KINDS
  const found = await unionAll(ownedOf(first), ownedOf(second), ...rest.map(ownedOf))
  return found.sort((a, b) => (a.name < b.name ? -1 : 1))
}

const KINDS = ['type', 'schema', 'entity', 'role', 'policy', 'webhook'] as const

/**
 * Warns of definitions of the plugin that its new version no longer contains, at its first file of
 * the same kind: they stay installed. Kinds that the archive has none of, or a faulty file, are left out.
 */
export function withRemovedDefinitions(
  files: readonly PlannedFile[],
  pluginId: string,
  installed: readonly Owned[],
): PlannedFile[] {
  const own = installed.filter((one) => one.pluginId === pluginId)
  const warnings = new Map<PlannedFile, string[]>()
  for (const kind of KINDS) {
    const ofKind = files.filter((file) => file.kind === kind)
    const [first] = ofKind
    if (!first || ofKind.some(({ failure }) => failure !== null)) continue
    const names = ofKind.flatMap(namesIn)
    const removed = own.filter((one) => one.kind === kind && !names.includes(one.name))
    const added = kind === 'entity' ? newNames(ofKind, installed) : []
    warnings.set(
      first,
      removed.map(({ name }) => messageOf(kind, name, nearest(name, added) ?? only(added))),
    )
  }
  return files.map((file) => {
    const messages = warnings.get(file) ?? []
    if (messages.length === 0) return file
    return { ...file, warnings: [...file.warnings, ...messages.map((message) => ({ message }))] }
  })
}

/** With the former names that they take over. */
const namesIn = ({ definitions }: PlannedFile): string[] =>
  definitions?.kind === 'entity'
    ? definitions.items.flatMap(({ name, renamedFrom = [] }) => [name, ...renamedFrom])
    : (definitions?.items.map(({ name }) => name) ?? [])

const newNames = (files: readonly PlannedFile[], installed: readonly Owned[]): string[] =>
  files
    .flatMap(namesIn)
    .filter((name) => !installed.some((one) => one.kind === 'entity' && one.name === name))

const only = (names: readonly string[]) => (names.length === 1 ? (names[0] ?? null) : null)

const STAYS: Record<Kind, string> = {
  type: 'stays installed',
  schema: 'stays installed',
  entity: 'stays installed with its records',
  role: 'stays installed',
  policy: 'stays in force',
  webhook: 'stays until it is deleted among the webhooks',
}

function messageOf(kind: Kind, name: string, successor: string | null): string {
  const removed = `The archive no longer defines the ${kind} "${name}", which ${STAYS[kind]}`
  if (successor === null) return removed
  return `${removed}. If "${successor}" is its new name, declare "renamedFrom": "${name}" for it`
}
