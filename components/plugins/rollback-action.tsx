import { useQuery } from '@tanstack/react-query'
import { Undo2Icon } from 'lucide-react'
import dynamic from 'next/dynamic'
import { useState } from 'react'
import { useCan } from '@/components/shell/viewer'
import { Button } from '@/components/ui/button'
import { pluginOptions } from './plugin-queries'
import type { History } from './searches'

const RollbackInstall = dynamic(() => import('./rollback-install'))

/** Rolls back an install that is the last one of its plugin, or a rollback, for those who may. */
export function RollbackAction({ install }: { install: History }) {
  const [open, setOpen] = useState(false)
  const mayInstall = useCan('plugins:install')
  const { id, kind, pluginId, status } = install
  const isDone = status === 'SUCCESS' || status === 'PARTIAL'
  const isUndoable = kind === 'install' || kind === 'rollback'
  const isAsked = mayInstall && isDone && isUndoable && pluginId !== null
  const plugin = useQuery({
    ...pluginOptions(pluginId ?? ''),
    enabled: isAsked && kind === 'install',
    retry: false,
  })
  const isLast = kind === 'rollback' || plugin.data?.lastHistoryId === id
  if (!isAsked || !isLast) return null
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <Undo2Icon aria-hidden /> {kind === 'rollback' ? 'Undo the rollback' : 'Roll back'}
      </Button>
      {open && <RollbackInstall install={install} onClose={() => setOpen(false)} />}
    </>
  )
}
