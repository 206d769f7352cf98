import { isNotNull, sql } from 'drizzle-orm'
import { unionAll } from 'drizzle-orm/pg-core'
import type { PlannedFile } from '@/lib/archives/plugin-file'
import type { Db } from '@/lib/db/sql'
import {
  DEFINITION_KINDS,
  DEFINITION_TABLES,
  type DefinitionKind,
} from '@/lib/registry/definition-tables'
import { nearest } from '@/lib/values/nearest'

/** A definition that a plugin installed. */
export type Owned = { kind: DefinitionKind; name: string; pluginId: string | null }

export async function loadOwned(db: Db): Promise<Owned[]> {
  const ownedOf = (kind: DefinitionKind) => {
    const { name, pluginId } = DEFINITION_TABLES[kind]
    const columns = { kind: sql<DefinitionKind>`${kind}::text`, name, pluginId }
    return db.select(columns).from(DEFINITION_TABLES[kind]).where(isNotNull(pluginId))
  }
  const [first, second, ...rest] = DEFINITION_KINDS
  const found = await unionAll(ownedOf(first), ownedOf(second), ...rest.map(ownedOf))
  return found.sort((a, b) => (a.name < b.name ? -1 : 1))
}

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
  for (const kind of DEFINITION_KINDS) {
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

const STAYS: Record<DefinitionKind, string> = {
  type: 'stays installed',
  schema: 'stays installed',
  entity: 'stays installed with its records',
  role: 'stays installed',
  policy: 'stays in force',
  webhook: 'stays until it is deleted among the webhooks',
}

function messageOf(kind: DefinitionKind, name: string, successor: string | null): string {
  const removed = `The archive no longer defines the ${kind} "${name}", which ${STAYS[kind]}`
  if (successor === null) return removed
  return `${removed}. If "${successor}" is its new name, declare "renamedFrom": "${name}" for it`
}
