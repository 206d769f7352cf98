import { formatCount } from '@/components/ui/number'
import { Table, Td, Th } from '@/components/ui/table'
import type { FileDetail, FileLog } from './types'

/** Every fault with its place and the value at fault. */
export function FailureDetails({ file }: { file: FileLog }) {
  const { details, detailCount, path } = file
  const hasPlace = details.some((detail) => placeOf(detail) !== '')
  const hasValue = details.some(({ value, key }) => value !== undefined || key !== undefined)
  return (
    <div className="grid gap-1.5">
      <div className="overflow-hidden rounded-md border bg-card [&_tr:last-child>td]:border-b-0">
        <Table aria-label={`Faults in ${path}`}>
          <thead>
            <tr>
              {hasPlace && <Th className="w-56 px-3">Where</Th>}
              <Th className="px-3">What is wrong</Th>
              {hasValue && <Th className="px-3">Value</Th>}
            </tr>
          </thead>
          <tbody>
            {details.map((detail, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: faults may be equal; their order is fixed
              <tr key={index}>
                {hasPlace && (
                  <Td className="px-3 py-1.5 font-mono text-xs whitespace-nowrap">
                    {placeOf(detail)}
                  </Td>
                )}
                <Td className="px-3 py-1.5">{detail.message}</Td>
                {hasValue && (
                  <Td className="max-w-80 truncate px-3 py-1.5 font-mono text-xs">
                    {faultyValue(detail)}
                  </Td>
                )}
              </tr>
            ))}
          </tbody>
        </Table>
      </div>
      {detailCount > details.length && (
        <p className="text-xs text-muted-foreground">
          The first {formatCount(details.length)} of {formatCount(detailCount)} faults.
        </p>
      )}
    </div>
  )
}

/** `record 12 /address/city`, `line 3, column 7`. */
export function placeOf({ index, pointer, line, column }: FileDetail): string {
  const parts = [
    index !== undefined && `record ${index}`,
    pointer && pointer,
    line !== undefined && `line ${line}${column === undefined ? '' : `, column ${column}`}`,
  ]
  return parts.filter(Boolean).join(' ')
}

const faultyValue = ({ value, key }: FileDetail): string => {
  const shown = value === undefined ? key : value
  return shown === undefined ? '' : JSON.stringify(shown)
}
