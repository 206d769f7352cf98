import { useQuery } from '@tanstack/react-query'
import dynamic from 'next/dynamic'
import { useState } from 'react'
import type { ModelChange } from '@/components/model/model-queries'
import { useCan } from '@/components/shell/viewer'
import { Button } from '@/components/ui/button'
import { entitiesOptions } from './entity-queries'

const PlannedEdit = dynamic(() => import('@/components/model/planned-edit'))

const WORDS = {
  history: { on: 'Keep history', off: 'Stop keeping history' },
  events: { on: 'Turn events on', off: 'Turn events off' },
} as const

type Props = { entity: string; log: keyof typeof WORDS }

/** Plans a version of the entity's plugin in which a log of its records is turned on or off; nothing for those who may not. */
export function KeepLog({ entity, log }: Props) {
  const found = useQuery(entitiesOptions).data?.data.find(({ name }) => name === entity)
  const mayEdit = useCan('plugins:install')
  const [planned, setPlanned] = useState<ModelChange | null>(null)
  const plugin = found?.pluginId
  if (!mayEdit || !plugin) return null
  const enabled = !found[log]
  const words = WORDS[log][enabled ? 'on' : 'off']
  const start = () => setPlanned({ plugin, edits: [{ type: `keep-${log}`, entity, enabled }] })
  return (
    <>
      <Button size="sm" title="Shows the plan of the change first" onClick={start}>
        {words}
      </Button>
      {planned && (
        <PlannedEdit
          title={words}
          change={planned}
          words={`${words} of ${entity}`}
          done={`The definition of ${entity} was changed`}
          onClose={() => setPlanned(null)}
        />
      )}
    </>
  )
}
