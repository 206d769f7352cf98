import { CircleAlertIcon } from 'lucide-react'
import { Notice } from '@/components/ui/notice'
import { countOf } from '@/components/ui/number'
import { Table, Td, Th } from '@/components/ui/table'
import { plainText } from '@/lib/values/exact-json'
import type { FileDetail, FileLog } from './searches'

type Props = {
  label: string
  target: FileLog['target']
  details: readonly FileDetail[]
  /** They are about stored records, whose keys tell which; not about a part of the file. */
  isStored?: boolean
}

/** The errors of a file: place, record and value; columns only as needed, one below the other where there is no room. */
export function FileDetails({ label, target, details, isStored = false }: Props) {
  const noun = isStored ? null : nounFor(target, details)
  const places = details.map((detail) => placeOf(detail, noun))
  const hasSlot = places.some((place) => place !== '')
  const hasKey = details.some(({ key }) => key !== undefined)
  const hasValue = details.some(({ value }) => value !== undefined)
  return (
    <div className="overflow-hidden rounded-md border bg-card [&_tr:last-child>td]:border-b-0">
      <Table aria-label={label}>
        <thead>
          <tr>
            {hasSlot && <Th className="w-56 px-3 max-sm:hidden">Where</Th>}
            {hasKey && <Th className="px-3 max-sm:hidden">Key</Th>}
            <Th className="px-3">Problem</Th>
            {hasValue && <Th className="px-3 max-sm:hidden">Value</Th>}
          </tr>
        </thead>
        <tbody>
          {details.map((detail, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: faults may be equal; their order is fixed
            <tr key={index}>
              {hasSlot && <CodeCell className="whitespace-nowrap">{places[index]}</CodeCell>}
              {hasKey && <CodeCell className="max-w-60 break-all">{shown(detail.key)}</CodeCell>}
              <Td className="px-3 py-1.5 break-words max-sm:max-w-0">
                <Stacked name="Where" text={places[index]} />
                <Stacked name="Key" text={shown(detail.key)} />
                {detail.message}
                <Stacked name="Value" text={shown(detail.value)} />
              </Td>
              {hasValue && <CodeCell className="max-w-80 truncate">{shown(detail.value)}</CodeCell>}
            </tr>
          ))}
        </tbody>
      </Table>
    </div>
  )
}

const CodeCell = ({ className, children }: { className: string; children?: string }) => (
  <Td className={`px-3 py-1.5 font-mono text-xs max-sm:hidden ${className}`}>{children}</Td>
)

/** What has a column of its own where there is room. */
const Stacked = ({ name, text }: { name: string; text: string | undefined }) =>
  text ? (
    <p className="text-xs text-muted-foreground sm:hidden">
      {name}: <span className="font-mono break-all">{text}</span>
    </p>
  ) : null

const shown = (value: unknown): string =>
  value === undefined ? '' : typeof value === 'string' ? JSON.stringify(value) : plainText(value)

/** What a file of `target` is a list of; null for the only definition of a file, which needs no number. */
function nounFor(target: FileLog['target'], details: readonly FileDetail[]): string | null {
  if (!target?.startsWith('Engine')) return 'record'
  return details.some(({ index = 0 }) => index > 0) ? 'definition' : null
}

/** `record 12 /address/city`, `line 3, column 7`. */
function placeOf({ index, pointer, line, column }: FileDetail, noun: string | null): string {
  const parts = [
    index !== undefined && noun && `${noun} ${index + 1}`,
    pointer,
    line !== undefined && `line ${line}${column === undefined ? '' : `, column ${column}`}`,
  ]
  return parts.filter(Boolean).join(' ')
}

/** As many as the server lists of one file. */
const MOST = 100

export const warningCount = (warnings: readonly unknown[]): string =>
  warnings.length < MOST ? countOf(warnings.length, 'warning') : `${MOST} or more warnings`

/** What is ignored in a file, or likely a mistake; it does not reject the file. */
export const FileWarnings = ({ file: { path, target, details, warnings } }: { file: FileLog }) => (
  <div className="grid gap-1.5">
    {details.length > 0 && (
      <p className="flex items-center gap-1.5 text-[13px] font-medium text-warning">
        <CircleAlertIcon aria-hidden className="size-3.5" />
        {warningCount(warnings)}
      </p>
    )}
    <FileDetails label={`Warnings about ${path}`} target={target} details={warnings} />
  </div>
)

/** That there are warnings below, with their number. */
export function WarningSummary({ files }: { files: readonly FileLog[] }) {
  const warned = files.filter(({ warnings }) => warnings.length > 0)
  if (warned.length === 0) return null
  const all = warned.flatMap(({ warnings }) => warnings)
  const isCut = warned.some(({ warnings }) => warnings.length >= MOST)
  return (
    <Notice
      tone="warning"
      title={`${countOf(all.length, 'warning')}${isCut ? ' or more' : ''} in ${countOf(warned.length, 'file')}`}
    >
      Warnings don’t reject a file: something in it is ignored or is likely a mistake. They are
      listed with each file below.
    </Notice>
  )
}
