import { fieldLabel } from '@/components/data-table/field-label'
import { Notice } from '@/components/ui/notice'
import { countOf, formatCount } from '@/components/ui/number'
import { Skeleton } from '@/components/ui/state'
import { Table, Td, Th } from '@/components/ui/table'
import type { EditSample } from '@/lib/records/contract'
import { type ExactJson, plainText } from '@/lib/values/exact-json'
import { CellValue } from '../cell-value'
import type { ColumnDescription, EntityRecord } from '../types'
import { DryRunPreview, type useDryRun } from './dry-run'
import { type EditFaults, editFaults } from './edit-faults'
import type { BatchEdited } from './send-edit'

type Props = {
  columns: readonly ColumnDescription[]
  dryRun: ReturnType<typeof useDryRun<BatchEdited>>
}

/** What the edit would do, or why it can't be done. */
export function EditPreview({ columns, dryRun }: Props) {
  const { data, error, isRunning, again } = dryRun
  const faults = editFaults(error)
  const numbers = data ? <Counts {...data} /> : !error && NOTHING_YET
  return (
    <DryRunPreview
      className="min-h-24"
      status={isRunning ? 'Checking every record…' : numbers}
      error={faults ? null : error}
      {...{ isRunning, again }}
    >
      {isRunning && <Skeleton className="h-16" />}
      {faults && faults.groups.length > 0 && <Faults {...faults} columns={columns} />}
      {data && data.sample.length > 0 && <Sample sample={data.sample} columns={columns} />}
    </DryRunPreview>
  )
}

const NOTHING_YET = 'What would change is shown here before anything is changed.'

const Counts = ({ effected, updated, unchanged }: BatchEdited) => (
  <>
    {countOf(effected, 'record')} {effected === 1 ? 'matches' : 'match'}:{' '}
    <strong className="font-medium text-foreground">{formatCount(updated)}</strong>{' '}
    {updated === 1 ? 'changes' : 'change'}
    {unchanged > 0 &&
      `, ${formatCount(unchanged)} ${unchanged === 1 ? 'has' : 'have'} the value already`}
    .
  </>
)

function Faults({ groups, unlisted, columns }: EditFaults & Pick<Props, 'columns'>) {
  const labelOf = (name: string) => {
    const column = columns.find((one) => one.name === name)
    return column ? fieldLabel(column) : name
  }
  return (
    <Notice tone="destructive" role="alert" title="Nothing can be changed">
      <ul className="grid gap-1">
        {groups.map(({ fields, reason, count, value, examples }) => (
          <li key={`${fields.join()} ${reason}`} className="break-words">
            {fields.map(labelOf).join(', ')} {reason}: {countOf(count, 'record')}
            {value !== null && ` would get ${value}`}
            <span className="text-muted-foreground">
              {' '}
              ({examples.join('; ')}
              {count > examples.length && '; …'})
            </span>
          </li>
        ))}
        {unlisted > 0 && <li>{countOf(unlisted, 'further fault')}</li>}
      </ul>
    </Notice>
  )
}

type SampleProps = { sample: readonly EditSample[]; columns: readonly ColumnDescription[] }

function Sample({ sample, columns }: SampleProps) {
  const names = Object.keys(sample[0]?.after ?? {})
  const shown = columns.filter(({ name }) => names.includes(name))
  return (
    <div className="rounded-lg border">
      <Table aria-label="Sample" className="[&_tr:last-child>td]:border-b-0">
        <thead>
          <tr>
            <Th>Record</Th>
            {shown.map((column) => (
              <Th key={column.name} colSpan={2}>
                {fieldLabel(column)}: before and after
              </Th>
            ))}
          </tr>
        </thead>
        <tbody>
          {sample.map(({ key, before, after }) => (
            <tr key={plainText(key)}>
              <Td className="max-w-40 truncate">{plainText(key)}</Td>
              {shown.map((column) => (
                <BeforeAfter key={column.name} {...{ column, before, after }} />
              ))}
            </tr>
          ))}
        </tbody>
      </Table>
    </div>
  )
}

type Values = Record<string, unknown>
type PairProps = { column: ColumnDescription; before: Values; after: Values }

const BeforeAfter = ({ column, before, after }: PairProps) => (
  <>
    <Td className="max-w-56 truncate text-muted-foreground">
      <Value column={column} values={before} />
    </Td>
    <Td className="max-w-56 truncate">
      <span aria-hidden className="mr-2 text-muted-foreground">
        →
      </span>
      <Value column={column} values={after} />
    </Td>
  </>
)

const Value = ({ column, values }: { column: ColumnDescription; values: Values }) => (
  <CellValue
    value={values[column.name] as ExactJson}
    column={column}
    record={values as EntityRecord}
  />
)
