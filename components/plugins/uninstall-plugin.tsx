'use client'
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import { usePathname } from 'next/navigation'
import { useState } from 'react'
import { toast } from 'sonner'
import { ConfirmDialog } from '@/components/ui/alert-dialog'
import { Button } from '@/components/ui/button'
import { Link } from '@/components/ui/link'
import { Notice } from '@/components/ui/notice'
import { useNavigate } from '@/components/ui/pending-page'
import { RadioCards } from '@/components/ui/radio-cards'
import { Skeleton } from '@/components/ui/skeleton'
import type { UninstallReport } from '@/lib/plugins/uninstall-contract'
import type { PluginRow } from './types'
import { type Choice, reportOptions, uninstall } from './uninstall-queries'
import { UninstallSummary } from './uninstall-summary'

type Props = { plugin: Pick<PluginRow, 'id' | 'name'>; onClose: () => void }

const CHOICES: readonly { value: Choice['records']; label: string; hint: string }[] = [
  {
    value: 'trash',
    label: 'Move entities to the trash',
    hint: 'With their tables. Everything can be restored from there.',
  },
  {
    value: 'keep',
    label: 'Keep entities and records',
    hint: 'They are served as before and belong to no plugin. Roles and policies are removed.',
  },
]

/** Reports what uninstalling would do, and does it when the plugin's name is typed. */
export default function UninstallPlugin({ plugin, onClose }: Props) {
  const navigate = useNavigate()
  const isOwnPage = usePathname() !== '/plugins'
  const [choice, setChoice] = useState<Choice>({ records: 'trash', with: [] })
  const report = useQuery({
    ...reportOptions(plugin.id, choice),
    placeholderData: keepPreviousData,
  })
  const removal = useMutation({
    mutationFn: () => uninstall(plugin.id, choice),
    onSuccess: (done) => {
      announce(done)
      onClose()
      if (isOwnPage) navigate('/plugins')
    },
    onError: () => void report.refetch(),
  })
  const blockers = report.data?.blockedBy ?? []
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Uninstall ${plugin.name}?`}
      description="This is what it would do. Nothing has changed yet."
      confirmLabel="Uninstall"
      typeToConfirm={plugin.name}
      disabled={!report.data || report.isPlaceholderData || blockers.length > 0}
      busy={removal.isPending}
      error={removal.error?.message ?? report.error?.message}
      onConfirm={() => removal.mutate()}
    >
      <RadioCards
        aria-label="Entities and records"
        value={choice.records}
        onValueChange={(records) => setChoice({ ...choice, records })}
        choices={CHOICES}
      />
      {report.data ? <UninstallSummary report={report.data} /> : <Skeleton className="h-28" />}
      <Blocked
        blockers={blockers}
        onInclude={(ids) => setChoice({ ...choice, with: [...choice.with, ...ids] })}
      />
    </ConfirmDialog>
  )
}

type BlockedProps = {
  blockers: UninstallReport['blockedBy']
  onInclude: (ids: string[]) => void
}

function Blocked({ blockers, onInclude }: BlockedProps) {
  if (blockers.length === 0) return null
  const owners = [...new Set(blockers.flatMap(({ pluginId }) => pluginId ?? []))]
  return (
    <Notice
      tone="warning"
      role="alert"
      title="Others need what would go"
      actions={
        owners.length > 0 && (
          <Button size="sm" onClick={() => onInclude(owners)}>
            Include them
          </Button>
        )
      }
    >
      <ul>
        {blockers.map(({ entity, pluginId, field, target }) => (
          <li key={`${entity} ${field}`} className="break-words">
            {entity} {pluginId && `of ${pluginId}`}{' '}
            {field ? `refers to ${target} (${field})` : `uses the schema ${target}`}
          </li>
        ))}
      </ul>
    </Notice>
  )
}

function announce({ plugins, batchId }: UninstallReport): void {
  toast.success(`${plugins.map(({ name }) => name).join(', ')} uninstalled`, {
    duration: 20_000,
    description: (
      <Link
        href={`/trash?batch=${batchId}`}
        className="rounded underline underline-offset-2"
        onClick={() => toast.dismiss()}
      >
        Open the trash to restore it
      </Link>
    ),
  })
}
