import type { Verdict } from '@/lib/archives/plugin-file'
import { type Actor, can } from '@/lib/auth/rights'
import type { Entity } from '@/lib/definitions/definition'
import type { FaultGroup, FileDetail } from '@/lib/definitions/definition-faults'
import type { Deps } from '@/lib/deps'
import { mayRead, mayReadAll } from '@/lib/registry/may-read'
import { listEntities } from '@/lib/registry/registry'
import { visibleEntity } from '@/lib/search/visible-entity'
import type { FileReport } from './file-report'

type Report = Pick<
  FileReport,
  'target' | 'error' | 'details' | 'conflicts' | 'groups' | 'changes' | 'warnings'
>

/**
 * A function that shows a report as `actor` may see it: keys and values of stored records only of entities that it may
 * read, and no change of a table or warning that names a field that is hidden from it. Numbers stay, and what is wrong with a
 * file names fields as the file does.
 */
export async function reportViewer(
  deps: Pick<Deps, 'db' | 'bus' | 'log'>,
  actor: Actor,
): Promise<<File extends Report>(file: File) => File> {
  const entities = await listEntities(deps)
  const installed = new Map(entities.map((entity) => [entity.name.toLowerCase(), entity]))
  /** What is not installed any more has no definition that closes it. */
  const isReadable = (name: string) => {
    const entity = installed.get(name.toLowerCase())
    return entity ? mayReadAll(actor, entity) : can(actor, { entity: name, action: 'read' })
  }
  const hidden = new Set(entities.flatMap((entity) => hiddenNames(actor, entity, entities)))
  return (file) => {
    const shown = entitiesIn(file).every(isReadable) ? file : withoutRecords(file)
    return hidden.size > 0 ? withoutNames(shown, hidden) : shown
  }
}

function hiddenNames(actor: Actor, entity: Entity, entities: readonly Entity[]): string[] {
  if (mayReadAll(actor, entity)) return []
  const shown = mayRead(actor, entity) ? visibleEntity(entity, actor, entities).properties : []
  const names = new Set([...shown.map(({ name }) => name), ...entity.keys])
  return entity.properties.flatMap(({ name }) => (names.has(name) ? [] : [name]))
}

/** `names`: of declared fields, which are made of these characters alone. */
function withoutNames<File extends Report>(file: File, names: ReadonlySet<string>): File {
  const isClear = (part: unknown) =>
    !(JSON.stringify(part).match(/\w+/g) ?? []).some((word) => names.has(word))
  return { ...file, changes: file.changes.filter(isClear), warnings: file.warnings.filter(isClear) }
}

/** Failures that may be about records that are stored. */
const ABOUT_STORED: readonly (string | null)[] = [
  'Conflict Issue!',
  'Incompatible change',
] satisfies Verdict[]

/** Of whose stored records the report may tell; `*` where it does not say. */
function entitiesIn({ target, error, conflicts, groups }: Report): string[] {
  const named = groups.flatMap(({ entity }) => entity ?? [])
  if (error === 'Incompatible change') return named.length > 0 ? named : ['*']
  const isOfTarget = conflicts.length > 0 || error === 'Conflict Issue!'
  return isOfTarget ? [target ?? '*', ...named] : named
}

function withoutRecords<File extends Report>(file: File): File {
  const { error, details, groups } = file
  const isAboutStored = ABOUT_STORED.includes(error)
  return {
    ...file,
    conflicts: [],
    details: isAboutStored ? details.map(withoutKey) : details,
    groups: isAboutStored ? groups.map(withoutKeys) : groups,
  }
}

/** Of a record of the file only where it is: the message quotes what is stored too. */
function withoutKey({ key, value: _, message, ...place }: FileDetail): FileDetail {
  const isOfFile = key !== undefined && place.pointer !== undefined
  return { ...place, message: isOfFile ? 'is in conflict with another record' : message }
}

const withoutKeys = ({ value: _, examples: __, ...group }: FaultGroup): FaultGroup => ({
  ...group,
  keys: [],
  filter: null,
})
