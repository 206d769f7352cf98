import { pluginFiles } from '@/lib/testing/archive'
import type { Files } from '../plugin-api'
import type { Story } from './random-story'

/** A record by its number, `no`, and three values. */
export type Values = { a: string | null; b: string | null; c: string | null }
export type FileRecord = Values & { no: number }

export type DraftEntity = {
  name: string
  formerNames: string[]
  folder: string
  /** Of each data file. */
  files: FileRecord[][]
}
/** The next archive of the plugin. */
export type Draft = { version: number; entities: DraftEntity[]; made: number }

export const recordOf = (no: number): FileRecord => ({ no, a: `a${no}`, b: `b${no}`, c: `c${no}` })

export function firstDraft(): Draft {
  const files = (from: number, counts: number[]) =>
    counts.map((count, file) =>
      Array.from({ length: count }, (_, at) => recordOf(from + file * 10 + at)),
    )
  const entity = (name: string, all: FileRecord[][]): DraftEntity => ({
    ...{ name, formerNames: [], folder: name, files: all },
  })
  const entities = [entity('Alpha', files(1, [3, 2, 3])), entity('Beta', files(101, [2, 2]))]
  return { version: 1, entities, made: 0 }
}

/** What makes the definition of an entity fail. */
export const FAULTS = ['text', 'type', 'unique', 'entity'] as const
export type Fault = { entity: number; kind: (typeof FAULTS)[number] }

export type Form = Story & { isKeyed: boolean }

/** The archive's files. */
export function filesOf(draft: Draft, form: Form, fault: Fault | null): Files {
  const faultOf = (at: number) => (fault?.entity === at ? fault.kind : null)
  const named = (of: (entity: DraftEntity, at: number) => unknown) => ({
    files: Object.fromEntries(draft.entities.map((one, at) => [`${one.name}.json`, of(one, at)])),
  })
  const data = draft.entities.map((entity) => [
    entity.folder,
    {
      manifest: { target: entity.name, insertDuplicate: 'Upsert' },
      files: Object.fromEntries(entity.files.map((all, at) => [fileName(at), rowsOf(all, form)])),
    },
  ])
  return pluginFiles(
    {
      EngineSchemas: named((one, at) => schemaOf(one, form, faultOf(at))),
      EngineEntities: named((one, at) => entityOf(one, form, faultOf(at))),
      ...Object.fromEntries(data),
    },
    { id: PLUGIN, name: 'Story', version: `${draft.version}.0.0` },
  )
}

export const PLUGIN = 'com.example.story'
export const fileName = (at: number): string => `d${at}.json`

const rowsOf = (all: FileRecord[], { isKeyed, isBig }: Form) =>
  all.map((one) => ({
    ...(isKeyed ? { id: one.no } : {}),
    ...one,
    ...(isBig ? { pad: PAD } : {}),
  }))
const PAD = '.'.repeat(100_000)

function schemaOf({ name }: DraftEntity, { isUnique }: Form, fault: Fault['kind'] | null) {
  if (fault === 'text') return '{ "name": '
  const property = (field: string, type = 'text', meta = {}) => ({ name: field, type, meta })
  const properties = [
    property('no', 'integer', isUnique ? { unique: true } : {}),
    property('a', fault === 'type' ? 'nonsense' : 'text'),
    property('b', 'text', fault === 'unique' ? { unique: true } : {}),
    property('c'),
    property('pad'),
  ]
  return { name, properties }
}

function entityOf({ name, formerNames }: DraftEntity, form: Form, fault: Fault['kind'] | null) {
  const made = form.isKeyed ? 'Fixed' : 'AutoIncrement'
  const strategy = fault === 'entity' ? 'Nonsense' : made
  return {
    ...(formerNames.length > 0 ? { renamedFrom: formerNames } : {}),
    ...{ name, pks: [{ key: 'id', strategy, type: 'number' }], updateStrategy: form.strategy },
  }
}
