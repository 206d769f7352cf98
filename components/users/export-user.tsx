import { useMutation } from '@tanstack/react-query'
import { useConfirmation } from '@/components/second-factors/use-confirmation'
import { ConfirmDialog } from '@/components/ui/alert-dialog'
import { startDownload } from '@/components/ui/save-file'
import type { User } from '@/lib/users/contract'
import { exportOf } from './user-queries'

/** Says what the file holds before it is downloaded. */
export function ExportUser({ user, onClose }: { user: User; onClose: () => void }) {
  const { confirm, dialog } = useConfirmation('export people')
  const download = useMutation({
    mutationFn: async () => {
      if (!(await confirm())) return
      startDownload(exportOf(user.userId))
      onClose()
    },
  })
  return (
    <>
      <ConfirmDialog
        onClose={onClose}
        title={`Export all data of ${user.email}?`}
        description="One JSON file with all that is stored of them: account, profile, sessions, keys, views, mails, comments, entries of the audit log and what they did to records, without secrets. The export is recorded in the audit log."
        confirmLabel="Export"
        tone="primary"
        attempt={download}
        onConfirm={() => download.mutate()}
      />
      {dialog}
    </>
  )
}
