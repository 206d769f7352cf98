import { Link } from '@/components/ui/link'
import { countOf } from '@/components/ui/number'
import { toast } from '@/components/ui/toast'
import type { BackgroundExport } from '@/lib/export/contract'
import { fileHref, readExport, refreshExports } from './export-queries'

/** Long enough to be seen by somebody who looks elsewhere. */
const NOTICE_MS = 20_000

/** Shows how an export in the background ended; says nothing of one that was cancelled or deleted. */
export async function announceExport(id: string): Promise<void> {
  void refreshExports()
  const found = await readExport(id)
  if (found?.status === 'READY') announceReady(found)
  if (found?.status === 'FAILED')
    toast.error(`${found.fileName} could not be prepared`, {
      duration: NOTICE_MS,
      description: found.error,
    })
}

function announceReady({ id, fileName, doneRows }: BackgroundExport): void {
  toast.success(`${fileName} is ready`, {
    duration: NOTICE_MS,
    description: (
      <span className="flex gap-3">
        {countOf(doneRows, 'record')}
        <a href={fileHref(id)} download className="rounded underline underline-offset-2">
          Download
        </a>
        <ToExports />
      </span>
    ),
  })
}

/** Says that an export is being prepared, and where it will be. */
export function announceStarted(entity: string): void {
  toast.success(`The export of ${entity} is being prepared`, {
    duration: NOTICE_MS,
    description: (
      <span>
        You can go on working. The file waits in <ToExports />.
      </span>
    ),
  })
}

const ToExports = () => (
  <Link href="/exports" className="rounded underline underline-offset-2">
    Exports
  </Link>
)
