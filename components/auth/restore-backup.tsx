'use client'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { FileButton } from '@/components/ui/file-button'
import { Notice, Refusal } from '@/components/ui/notice'
import { countOf } from '@/components/ui/number'
import { Progress } from '@/components/ui/progress'
import { Time } from '@/components/ui/time'
import type { RestoreState } from '@/lib/backup/new-server'
import type { Restored } from '@/lib/backup/restored'
import { upload } from '@/lib/http/upload'
import { formatBytes } from '@/lib/values/format-bytes'
import { AuthDone } from './auth-page'

/** Brings everything from another server, instead of creating the first administrator. `state`: of a restore that began before. */
export function RestoreBackup({ state }: { state: RestoreState }) {
  const [sent, setSent] = useState(0)
  const restore = useMutation({
    mutationFn: async (file: File) => {
      setSent(0)
      const form = new FormData()
      form.set('file', file)
      const { body } = await upload<{ data: [Restored] }>({
        path: '/api/auth/restore',
        form,
        onProgress: setSent,
      })
      return body.data[0]
    },
  })
  const file = restore.isPending ? restore.variables : null
  if (restore.data) return <Success {...restore.data} />
  return (
    <section aria-label="Restore a backup" className="grid gap-3 border-t pt-4">
      <p className="text-[13px] text-muted-foreground">
        Moving from another server? Its backup brings users, keys, plugins, records and images.
        Download it there in the settings.
      </p>
      {state !== 'none' && !file && !restore.error && <Former state={state} />}
      <Refusal of={restore.error} title="The backup was not restored" />
      {file ? (
        <div role="status">
          <Progress
            label={sent < file.size ? 'Uploading' : 'Checking and restoring'}
            value={sent < file.size ? sent : null}
            max={file.size}
            text={`${formatBytes(Math.min(sent, file.size))} of ${formatBytes(file.size)}`}
          />
        </div>
      ) : (
        <FileButton
          accept=".tar,application/x-tar"
          label="Backup"
          onFiles={([chosen]) => chosen && restore.mutate(chosen)}
        >
          Restore a backup instead
        </FileButton>
      )}
    </section>
  )
}

const Former = ({ state }: { state: Exclude<RestoreState, 'none'> }) =>
  state === 'running' ? (
    <Notice role="status" title="A backup is being restored">
      Reload this page in a moment.
    </Notice>
  ) : (
    <Notice tone="warning" role="status" title="The last restore was interrupted">
      The server is still empty. Choose the backup again.
    </Notice>
  )

const Success = ({ rows, images, createdAt, warnings }: Restored) => (
  <AuthDone title="Everything is restored">
    <p>
      {countOf(rows, 'row')} and {countOf(images, 'image')}, as of <Time value={createdAt} />. Sign
      in with your account of the former server.
    </p>
    {warnings.map((warning) => (
      <p key={warning} className="mt-1">
        {warning}.
      </p>
    ))}
  </AuthDone>
)
