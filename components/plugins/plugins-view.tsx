'use client'

import { UploadIcon } from 'lucide-react'
import dynamic from 'next/dynamic'
import { useSearchParams } from 'next/navigation'
import { type ReactNode, useEffect, useRef } from 'react'
import { Page } from '@/components/shell/page'
import { useCan } from '@/components/shell/viewer'
import { Button, buttonClass } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { DropZone as Zone } from '@/components/ui/drop-zone'
import { FileButton } from '@/components/ui/file-button'
import { Link } from '@/components/ui/link'
import { countOf } from '@/components/ui/number'
import { useSearch } from '@/lib/query/search'
import { InstallItem } from './install-item'
import { canInstall, installQueue, isFinished, isPlanned } from './install-queue'
import { PluginList } from './plugin-list'
import { type History, RUNNING_SEARCH } from './searches'

/** Only where there is an index of plugins. */
const PluginTabs = dynamic(() => import('./available-plugins'))

type ViewProps = {
  /** The limit of an archive. */
  maxBytes: number
  /** Whether plugins of an index can be installed. */
  hasIndex: boolean
}

/** The installed plugins, those of the index, and the queue of archives to install. */
export function PluginsView({ maxBytes, hasIndex }: ViewProps) {
  const mayInstall = useCan('plugins:install')
  const focusAtOnce = useSearchParams().has('install')
  useRunningInstalls()
  useEffect(() => void installQueue.restore(), [])
  const installed = <PluginList {...{ mayInstall, hasIndex }} />
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
      {mayInstall && hasIndex ? <PluginTabs installed={installed} /> : installed}
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

type Props = { maxBytes: number; children: ReactNode }

/** Accepts ZIP files dropped anywhere on the page, or pasted into it. */
const DropZone = ({ maxBytes, children }: Props) => (
  <Zone
    label="Drop plugin archives to preview them"
    onFiles={(files) => installQueue.add(files, maxBytes)}
  >
    {children}
  </Zone>
)

type PickArchivesProps = { maxBytes: number; focusAtOnce?: boolean }

/** A button as the alternative to dropping files. `focusAtOnce` moves the focus to it. */
function PickArchives({ maxBytes, focusAtOnce = false }: PickArchivesProps) {
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (focusAtOnce) button.current?.focus()
  }, [focusAtOnce])
  return (
    <FileButton
      ref={button}
      variant="primary"
      accept=".zip,application/zip"
      multiple
      label="Plugin archives"
      onFiles={(files) => installQueue.add(files, maxBytes)}
    >
      <UploadIcon aria-hidden /> Install plugin
    </FileButton>
  )
}

/** The archives that were chosen, each from file to result. */
function InstallPanel() {
  const items = installQueue.useItems()
  if (items.length === 0) return null
  const planned = items.filter((item) => isPlanned(item) && canInstall(item.preview))
  const finished = items.filter(isFinished)
  return (
    <Card
      flush
      title="Installation"
      description={countOf(items.length, 'archive')}
      actions={
        <>
          {finished.length > 0 && (
            <Button
              size="sm"
              variant="ghost"
              onClick={() => {
                for (const { id } of finished) installQueue.remove(id)
              }}
            >
              Clear finished
            </Button>
          )}
          {planned.length > 1 && (
            <Button
              size="sm"
              variant="primary"
              onClick={() => {
                for (const { id } of planned) installQueue.install(id)
              }}
            >
              Install {planned.length}
            </Button>
          )}
        </>
      }
    >
      <ul className="divide-y">
        {[...items.filter((item) => !isFinished(item)), ...finished].map((item) => (
          <InstallItem key={item.id} item={item} />
        ))}
      </ul>
    </Card>
  )
}
