import { DownloadIcon, MoreHorizontalIcon, Trash2Icon } from 'lucide-react'
import dynamic from 'next/dynamic'
import { useState } from 'react'
import { useCan } from '@/components/shell/viewer'
import { Button, IconButton } from '@/components/ui/button'
import { Menu, MenuItem } from '@/components/ui/menu'
import type { PluginRow } from './searches'

const ExportPlugin = dynamic(() => import('./export-plugin'))
const UninstallPlugin = dynamic(() => import('./uninstall-plugin'))

type Props = {
  plugin: Pick<PluginRow, 'id' | 'name' | 'version'>
  /** A menu on a card of the list, buttons on the page of the plugin. */
  as: 'menu' | 'buttons'
}

/** Exports a plugin, and uninstalls it for those who may. */
export function PluginActions({ plugin, as }: Props) {
  const [open, setOpen] = useState<'export' | 'uninstall' | null>(null)
  const mayUninstall = useCan('plugins:install')
  const close = () => setOpen(null)
  return (
    <>
      {as === 'menu' ? (
        <Menu
          trigger={<IconButton icon={MoreHorizontalIcon} label={`Actions for ${plugin.name}`} />}
        >
          <MenuItem onClick={() => setOpen('export')}>
            <DownloadIcon aria-hidden /> Export
          </MenuItem>
          {mayUninstall && (
            <MenuItem tone="destructive" onClick={() => setOpen('uninstall')}>
              <Trash2Icon aria-hidden /> Uninstall
            </MenuItem>
          )}
        </Menu>
      ) : (
        <>
          {mayUninstall && <Button onClick={() => setOpen('uninstall')}>Uninstall</Button>}
          <Button onClick={() => setOpen('export')}>
            <DownloadIcon aria-hidden /> Export
          </Button>
        </>
      )}
      {open === 'export' && <ExportPlugin plugin={plugin} onClose={close} />}
      {open === 'uninstall' && <UninstallPlugin plugin={plugin} onClose={close} />}
    </>
  )
}
