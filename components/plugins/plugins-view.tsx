'use client'
import { useSearchParams } from 'next/navigation'
import { useEffect } from 'react'
import { Page } from '@/components/shell/page'
import { useCan } from '@/components/shell/viewer'
import { buttonClass } from '@/components/ui/button'
import { Link } from '@/components/ui/link'
import { useSearch } from '@/lib/query/search'
import { DropZone } from './drop-zone'
import { InstallPanel } from './install-panel'
import { installQueue } from './install-queue'
import { PickArchives } from './pick-archives'
import { PluginList } from './plugin-list'
import { RUNNING_SEARCH } from './searches'
import type { History } from './types'

/** The installed plugins and the queue of archives to install; `maxBytes` is the limit of one. */
export function PluginsView({ maxBytes }: { maxBytes: number }) {
  const mayInstall = useCan('plugins:install')
  const focusAtOnce = useSearchParams().has('install')
  useRunningInstalls()
  useEffect(() => void installQueue.restore(), [])
  const page = (
    <Page
      title="Plugins"
      description="A plugin adds entities, schemas and records from one ZIP archive."
      actions={
        <>
          <Link href="/plugins/history" className={buttonClass()}>
            History
          </Link>
          {mayInstall && <PickArchives maxBytes={maxBytes} focusAtOnce={focusAtOnce} />}
        </>
      }
    >
      {mayInstall && <InstallPanel />}
      <PluginList mayInstall={mayInstall} />
    </Page>
  )
  return mayInstall ? <DropZone maxBytes={maxBytes}>{page}</DropZone> : page
}

/** Shows installs that were already running on the server. */
function useRunningInstalls(): void {
  const { data } = useSearch<History>('EnginePluginHistory', RUNNING_SEARCH)
  useEffect(() => {
    for (const install of data?.data ?? []) installQueue.resume(install)
  }, [data])
}
