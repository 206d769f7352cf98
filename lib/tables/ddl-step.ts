import type { SQL } from 'drizzle-orm'
import type {
  FieldReference,
  Property,
  StoredColumn,
  TableName,
} from '@/lib/definitions/definition'
import type { TextSearch } from '@/lib/definitions/text-search'
import type { LogKey, RecordLog } from '@/lib/versions/keep-log'
import type { Generated } from './column-spec'

export type ColumnSpec = StoredColumn & {
  notNull: boolean
  generated: Generated
  /** What the column is computed from. */
  computed?: SQL
}

export type IndexPart = {
  column: string
  /** Case-insensitive natural order. */
  natural?: true
  operators?: 'gin_trgm_ops' | 'jsonb_path_ops'
  /** The point of a location. */
  place?: true
  /** All parts of such an index make one document. */
  words?: TextSearch
  /** One of the three values by which searches sort JSON at this key; null for the column itself. */
  json?: { key: string | null; value: 'rank' | 'number' | 'text' }
  /** With nulls last where the part may be null. */
  descending?: true
}
export type IndexSpec = {
  name: string
  method: 'btree' | 'gin' | 'gist'
  unique: boolean
  parts: IndexPart[]
  /** Of an indexed text, in bytes of UTF-8; null for any length. */
  maxBytes: number | null
}

/**
 * A foreign key from columns to the key, or to unique columns, of an entity. The first column is the
 * field that has the reference; others are those that identify the record together with it.
 */
export type ReferenceSpec = {
  name: string
  columns: string[]
  target: TableName
  /** As many, in the same order. */
  fields: string[]
  onDelete?: FieldReference['onDelete']
}

/** An object of the database that is named after its table and columns. */
export type RenamedObject = { kind: 'index' | 'sequence'; from: string; to: string }

/** Rules that stored values can contradict. */
export type CheckedRule =
  | 'kind'
  | 'min'
  | 'max'
  | 'minLength'
  | 'maxLength'
  | 'enum'
  | 'pattern'
  | 'format'

/**
 * One change of a table, as a value: `describeStep` puts it into words, `toSql` into statements, and
 * `contradictions` finds the stored records that forbid it.
 */
export type DdlStep = { table: TableName } & (
  | { type: 'create-schema' }
  | { type: 'create-table'; columns: ColumnSpec[]; primaryKey: string[] }
  | { type: 'require-empty'; change: string }
  | { type: 'drop-table' }
  | { type: 'rename-table'; to: TableName; objects: RenamedObject[] }
  | { type: 'rename-column'; column: string; to: string; objects: RenamedObject[] }
  | { type: 'rename-extra'; from: string; to: string }
  | { type: 'drop-column'; column: string }
  /** `isOwn`: its values were written; only an empty one may go then. */
  | { type: 'drop-computed'; column: string; isOwn: boolean }
  | { type: 'keep-computed'; column: string }
  | { type: 'add-column'; column: ColumnSpec }
  | { type: 'change-type'; from: StoredColumn; property: Property; widening: boolean }
  | { type: 'drop-generated'; column: string; generated: NonNullable<Generated> }
  /** `counted`: continues the counter that an earlier step dropped. */
  | {
      type: 'add-generated'
      column: StoredColumn
      generated: NonNullable<Generated>
      counted: boolean
    }
  /** The property is removed, the column stays; `values`: how many it holds, once that is known. */
  | { type: 'hide-column'; column: string; sqlType?: string; values: number | null }
  | { type: 'set-not-null'; column: string }
  | { type: 'drop-not-null'; column: string }
  /** `keys`: the primary key of the table then. */
  | { type: 'move-extra'; property: Property; keys: string[] }
  | { type: 'fill-default'; property: Property; keys: string[] }
  | { type: 'check-values'; property: Property; rules: CheckedRule[] }
  | { type: 'check-no-extra' }
  | { type: 'keep-log'; log: RecordLog; entity: string; key: LogKey }
  /** Who follows the changes of the records begins again. */
  | { type: 'begin-changes'; entity: string }
  | { type: 'stop-log'; log: RecordLog; entity: string }
  | { type: 'add-index'; index: IndexSpec }
  | { type: 'drop-index'; index: IndexSpec }
  /** Moves the records of an entity between the nodes of a cluster; `beside`: the name of another entity. */
  | {
      type: 'place'
      entity: string
      placement:
        | { type: 'local' }
        | { type: 'reference' }
        | { type: 'distributed'; by: string; beside: string | null; shards: number }
    }
  | { type: 'drop-reference'; reference: ReferenceSpec }
  /** `strict`: stored values must agree; otherwise only values written from now on. */
  | { type: 'add-reference'; reference: ReferenceSpec; strict: boolean }
)

export type StepOf<T extends DdlStep['type']> = Extract<DdlStep, { type: T }>
