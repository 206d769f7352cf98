import { CircleAlertIcon } from 'lucide-react'
import { Notice } from '@/components/ui/notice'
import { countOf } from '@/components/ui/number'
import { FileDetails } from './file-details'
import type { FileLog } from './types'

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
