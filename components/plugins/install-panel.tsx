'use client'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { countOf } from '@/components/ui/number'
import { canInstall } from './can-install'
import { InstallItem } from './install-item'
import { installQueue, isFinished, isPlanned } from './install-queue'

/** The archives that were chosen, each from file to result. */
export function InstallPanel() {
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
        {items.map((item) => (
          <InstallItem key={item.id} item={item} />
        ))}
      </ul>
    </Card>
  )
}
