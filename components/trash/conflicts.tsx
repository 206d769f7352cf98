import { formatCount } from '@/components/ui/number'
import { Table, Td, Th } from '@/components/ui/table'
import type { RestoreConflict } from '@/lib/trash/contract'
import { plainText } from '@/lib/values/exact-json'

type Props = { conflicts: readonly RestoreConflict[]; total: number; header: 'Key' | 'Name' }

/** What could not be restored, and why. */
export const Conflicts = ({ conflicts, total, header }: Props) => (
  <>
    <div className="overflow-hidden rounded-md border bg-card [&_tr:last-child>td]:border-b-0">
      <Table aria-label="What could not be restored">
        <thead>
          <tr>
            <Th className="w-32 px-3">{header}</Th>
            <Th className="px-3">Reason</Th>
          </tr>
        </thead>
        <tbody>
          {conflicts.map(({ key, message }) => (
            <tr key={message}>
              <Td className="max-w-40 px-3 py-1.5 align-top font-mono text-xs break-all">
                {plainText(key)}
              </Td>
              <Td className="px-3 py-1.5 break-words">{message}</Td>
            </tr>
          ))}
        </tbody>
      </Table>
    </div>
    {total > conflicts.length && (
      <p className="text-xs text-muted-foreground">
        The first {formatCount(conflicts.length)} of {formatCount(total)}.
      </p>
    )}
  </>
)
