import { useMutation, useQuery } from '@tanstack/react-query'
import { UnlinkIcon } from 'lucide-react'
import { fieldLabel } from '@/components/data-table/field-label'
import type { Condition } from '@/components/data-table/filter/condition'
import { useCan } from '@/components/shell/viewer'
import { IconButton } from '@/components/ui/button'
import { ErrorState } from '@/components/ui/state'
import { Table, Td, Th } from '@/components/ui/table'
import { toast } from '@/components/ui/toast'
import { messageOf } from '@/lib/errors'
import { useSearch } from '@/lib/query/search'
import { plainText } from '@/lib/values/exact-json'
import { whyNotEditable } from './cell-editing/cell-editor'
import { CellValue } from './cell-value'
import { columnsOptions, refreshEntity } from './entity-queries'
import { shownAtFirst } from './entity-search'
import { loadCurrent } from './load-current'
import { titleFields, titleOf } from './record-title'
import type { ReferringField } from './referring'
import { announceChange, saveRecord } from './save-record'
import type { ColumnDescription, EntityRecord } from './types'
import { usePanel } from './use-panel'

/** More are a page of their own. */
const SHOWN = 10
/** Beside the title: a panel is narrow. */
const MAX_FIELDS = 2

type Props = { referring: ReferringField; query: Condition[] }

/** The first records that refer to one, each with its title and the way to it. */
export default function RelatedRecords({ referring, query }: Props) {
  const { entity, field } = referring
  const referencing = referencingFields(referring)
  const columns = useQuery(columnsOptions(entity))
  const all = columns.data?.data
  const shown = all ? fieldsOf(all, field) : []
  const found = useSearch<EntityRecord>(
    entity,
    {
      query,
      fields: neededOf(all ?? [], shown, referencing),
      pagination: { page: 0, size: SHOWN },
      count: 'none',
    },
    { enabled: all !== undefined },
  )
  if (columns.error || found.error) return <ErrorState of={columns.error ? columns : found} />
  if (!all || !found.data) return <p className="py-1 text-muted-foreground">Loading…</p>
  return (
    <Table aria-label={`Records of ${entity}`} className="mb-2">
      <thead>
        <tr>
          <Th className="px-2">{titleLabel(all) ?? entity}</Th>
          {shown.map((column) => (
            <Th key={column.name} className="px-2">
              {fieldLabel(column)}
            </Th>
          ))}
          <Th className="px-2">
            <span className="sr-only">Actions</span>
          </Th>
        </tr>
      </thead>
      <tbody>
        {found.data.data.map((record) => (
          <Row key={record.persistenceId} {...{ referring, record, shown }} columns={all} />
        ))}
      </tbody>
    </Table>
  )
}

function titleLabel(columns: readonly ColumnDescription[]): string | null {
  const [name] = titleFields(columns)
  const title = columns.find((column) => column.name === name)
  return title ? fieldLabel(title) : null
}

/** What lists of the entity show first, without what names the record or is the same in all of them. */
function fieldsOf(columns: readonly ColumnDescription[], field: string): ColumnDescription[] {
  const [title] = titleFields(columns)
  return shownAtFirst(columns)
    .flatMap((name) => columns.find((column) => column.name === name) ?? [])
    .filter(({ name, key }) => !key && name !== field && name !== title)
    .slice(0, MAX_FIELDS)
}

/** Together they say what a record refers to. */
const referencingFields = ({ field, reference }: ReferringField): string[] => [
  field,
  ...Object.keys(reference.with ?? {}),
]

const neededOf = (
  columns: readonly ColumnDescription[],
  shown: readonly ColumnDescription[],
  referencing: readonly string[],
) => [
  ...new Set([
    'persistenceId',
    ...referencing,
    ...columns.filter(({ key }) => key).map(({ name }) => name),
    ...titleFields(columns),
    ...shown.map(({ name }) => name),
  ]),
]

type RowProps = {
  referring: ReferringField
  record: EntityRecord
  columns: readonly ColumnDescription[]
  shown: readonly ColumnDescription[]
}

function Row({ referring, record, columns, shown }: RowProps) {
  const panel = usePanel()
  const { entity } = referring
  const title = titleOf(record, columns)
  const keys = columns.filter(({ key }) => key).map(({ name }) => name)
  const values = Object.fromEntries(keys.map((name) => [name, plainText(record[name])]))
  return (
    <tr>
      <Td className="px-2">
        <button
          type="button"
          className="rounded text-left text-primary underline-offset-2 hover:underline"
          onClick={() => panel.peek({ entity, values })}
        >
          <bdi>{title}</bdi>
        </button>
      </Td>
      {shown.map((column) => (
        <Td key={column.name} className="px-2">
          <CellValue value={record[column.name]} column={column} record={record} />
        </Td>
      ))}
      <Td className="px-2 py-1 text-right">
        <Removal {...{ referring, record, columns, title }} />
      </Td>
    </tr>
  )
}

type RemovalProps = Omit<RowProps, 'shown'> & { title: string }

/** Empties the reference, where it may be empty; the record itself stays. */
function Removal({ referring, record, columns, title }: RemovalProps) {
  const { entity, field } = referring
  const mayUpdate = useCan({ entity, action: 'update' })
  const column = columns.find(({ name }) => name === field)
  const removing = useMutation({
    mutationFn: () => emptyReference(referring, record),
    onError: (error) => toast.error(messageOf(error)),
  })
  if (!column || column.rules.required || whyNotEditable(column, mayUpdate) !== null) return null
  return (
    <IconButton
      icon={UnlinkIcon}
      size="icon-sm"
      variant="ghost"
      label={`Remove ${title} from here`}
      busy={removing.isPending}
      onClick={() => removing.mutate()}
    />
  )
}

/** Throws where the record refers to another one by now. */
async function emptyReference(referring: ReferringField, listed: EntityRecord): Promise<void> {
  const { entity, field } = referring
  const { record, etag } = await loadCurrent(entity, listed.persistenceId)
  const isSame = (name: string) => plainText(record[name]) === plainText(listed[name])
  if (!referencingFields(referring).every(isSame)) {
    await refreshEntity(entity)
    throw new Error('The record refers to another one by now. It is left as it is.')
  }
  const values = { [field]: null }
  const saved = await saveRecord(entity, record, values, etag)
  await refreshEntity(entity)
  if (saved) announceChange(entity, record, values, saved, 'Removed')
}
