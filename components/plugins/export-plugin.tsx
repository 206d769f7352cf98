import { useState } from 'react'
import { Button, buttonClass } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { RadioCards } from '@/components/ui/radio-cards'
import type { ExportQuery } from '@/lib/lifecycle/contract'
import type { PluginRow } from './searches'

type Records = ExportQuery['records']
type Props = { plugin: Pick<PluginRow, 'id' | 'name'>; onClose: () => void }

const CHOICES: readonly { value: Records; label: string; hint: string }[] = [
  {
    value: 'all',
    label: 'Definitions and all records',
    hint: 'Everything the plugin is here now, local edits included.',
  },
  {
    value: 'changed',
    label: 'Definitions and changed records',
    hint: 'Records that were added or edited here since the plugin was installed.',
  },
  {
    value: 'none',
    label: 'Definitions only',
    hint: 'Types, schemas, entities, roles, policies and webhooks.',
  },
]

/** Asks what an export contains; the browser downloads it. */
export default function ExportPlugin({ plugin, onClose }: Props) {
  const [records, setRecords] = useState<Records>('all')
  const href = `/api/plugins/${encodeURIComponent(plugin.id)}/export?records=${records}`
  return (
    <Dialog
      onClose={onClose}
      title={`Export ${plugin.name}`}
      description="A ZIP archive that installs again, here or on another server. The same content always makes the same file."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <a href={href} download className={buttonClass({ variant: 'primary' })} onClick={onClose}>
            Download
          </a>
        </>
      }
    >
      <RadioCards
        aria-label="Content"
        value={records}
        onValueChange={setRecords}
        choices={CHOICES}
      />
    </Dialog>
  )
}
