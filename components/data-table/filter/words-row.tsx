import { Trash2Icon } from 'lucide-react'
import { IconButton } from '@/components/ui/button'
import { Input } from '@/components/ui/input'
import type { WordsCondition } from './condition'

type Props = {
  condition: WordsCondition
  onChange: (condition: WordsCondition) => void
  onRemove: () => void
}

/** Words that records have, in any of the fields that text search looks in. */
export const WordsRow = ({ condition, onChange, onRemove }: Props) => (
  <fieldset data-condition="" className="grid grid-cols-[auto_1fr_auto] items-center gap-1.5">
    <legend className="sr-only">Condition</legend>
    <span className="text-[13px]">Words</span>
    <div data-value className="min-w-0">
      <Input
        aria-label="Value"
        value={condition.value}
        onChange={({ target }) => onChange({ ...condition, value: target.value })}
      />
    </div>
    <IconButton icon={Trash2Icon} size="icon" label="Remove the condition" onClick={onRemove} />
  </fieldset>
)
