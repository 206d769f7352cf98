import { useMemo, useState } from 'react'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { useNavigate } from '@/components/ui/pending-page'
import { toast } from '@/components/ui/toast'
import { ModelPlan } from './model-plan'

type Props = { name: string; plugin: string; onRemoved: () => void }

/** Moves the entity to the trash, after its plan was shown. */
export function RemoveEntity({ name, plugin, onRemoved }: Props) {
  const [isPlanned, setPlanned] = useState(false)
  const change = useMemo(() => ({ plugin, removed: [name] }), [plugin, name])
  const navigate = useNavigate()
  const onApplied = () => {
    onRemoved()
    toast.success(`The entity ${name} was removed`, {
      action: { label: 'Recently changed', onClick: () => navigate('/trash') },
    })
    navigate('/entities')
  }
  if (isPlanned)
    return (
      <ModelPlan
        change={change}
        edits={[`Remove the entity ${name}`]}
        wayBack="It can be restored from “Recently changed”. Earlier versions of the plugin can no longer be rolled back."
        onDiscard={() => setPlanned(false)}
        onApplied={onApplied}
      />
    )
  return (
    <Card
      title="Remove the entity"
      description="Its records go to the trash with it, and can be restored"
      actions={
        <Button size="sm" variant="destructive" onClick={() => setPlanned(true)}>
          Remove entity
        </Button>
      }
    >
      <p className="text-[13px] text-muted-foreground">
        The plan says first what would be removed.
      </p>
    </Card>
  )
}
