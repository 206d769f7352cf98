import { Dialog } from '@/components/ui/dialog'
import { useNavigate } from '@/components/ui/pending-page'
import { toast } from '@/components/ui/toast'
import { ModelPlan } from './model-plan'
import type { ModelChange } from './model-queries'

type Props = {
  title: string
  change: ModelChange
  /** What it does, in words. */
  words: string
  /** The same once it is done. */
  done: string
  discardLabel?: string
  onDiscard?: () => void
  onClose: () => void
}

/** The plan of one edit in a window of its own, and the way to have it done. */
export default function PlannedEdit({ title, change, words, done, onClose, ...discard }: Props) {
  const { discardLabel = 'Cancel', onDiscard = onClose } = discard
  const navigate = useNavigate()
  const onApplied = (history: number) => {
    onClose()
    toast.success(done, {
      action: { label: 'Show', onClick: () => navigate(`/plugins/history/${history}`) },
    })
  }
  return (
    <Dialog title={title} size="lg" onClose={onClose}>
      <ModelPlan {...{ change, discardLabel, onDiscard, onApplied }} edits={[words]} />
    </Dialog>
  )
}
