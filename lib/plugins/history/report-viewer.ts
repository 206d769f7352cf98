import { type Actor, can } from '@/lib/auth/rights'
import type { FaultGroup } from '@/lib/definitions/fault-group'
import type { FileDetail } from '@/lib/definitions/file-detail'
import type { Deps } from '@/lib/deps'
import type { FileReport } from '@/lib/plugins/file-report'
import type { Verdict } from '@/lib/plugins/verdict'
import { mayRead } from '@/lib/registry/may-read'
import { listEntities } from '@/lib/registry/registry'

type Report = Pick<FileReport, 'target' | 'error' | 'details' | 'conflicts' | 'groups'>

/**
 * A function that shows a report as `actor` may see it: keys and values of stored records only of entities that it may
 * read. Numbers stay.
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
    return entity ? mayRead(actor, entity) : can(actor, { entity: name, action: 'read' })
  }
  return (file) => (entitiesIn(file).every(isReadable) ? file : withoutRecords(file))
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
