'use client'
import { useMutation } from '@tanstack/react-query'
import { useConfirmation } from '@/components/second-factors/use-confirmation'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { Notice, Refusal } from '@/components/ui/notice'
import { startDownload } from '@/components/ui/save-file'
import { api } from '@/lib/http/client'

/** Everything of the server as one file, to keep or to move it. */
export function BackupCard() {
  const { confirm, dialog } = useConfirmation('download backups')
  const download = useMutation({
    mutationFn: async () => {
      if (!(await confirm())) return false
      // What is in the way is said here, not by the browser in place of the page.
      await api('/api/backup?dryRun=true')
      startDownload('/api/backup')
      return true
    },
  })
  return (
    <Card title="Backup">
      <div className="grid gap-3 text-[13px] text-muted-foreground">
        <p>
          One file with everything: users, roles, keys, plugins, records with their history, the
          trash, the audit log, and images stored on this server. To move to a new server, restore
          it on that server’s setup page, with the same{' '}
          <code className="font-mono text-xs">NEXTAUTH_SECRET</code>.
        </p>
        <p>
          The file contains personal data and secrets: keep it as safe as the database. Every
          download is recorded in the audit log.
        </p>
        <Refusal of={download.error} />
        {download.data && (
          <Notice role="status" title="The backup is being written">
            The download starts when it is complete. A large database takes a few minutes.
          </Notice>
        )}
        <div>
          <Button busy={download.isPending} onClick={() => download.mutate()}>
            Download a backup
          </Button>
        </div>
      </div>
      {dialog}
    </Card>
  )
}
