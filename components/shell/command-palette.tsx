import { Dialog } from '@base-ui/react/dialog'
import { Command } from 'cmdk'
import { LoaderCircleIcon } from 'lucide-react'
import { useLayoutEffect, useState } from 'react'
import { backdropClass } from '@/components/ui/dialog'
import { useNavigate } from '@/components/ui/pending-page'
import { Group, Item } from './palette-items'
import { endTypedAhead, takeTypedAhead } from './typed-ahead'
import { usePaletteChoice } from './use-palette-choice'
import { usePaletteResults } from './use-palette-results'

type Props = { open: boolean; onClose: () => void }

/** Goes to any page, entity, record, plugin, user or image, and runs actions. */
export default function CommandPalette({ open, onClose }: Props) {
  // Here, since what is in the dialog ends with it.
  const navigate = useNavigate()
  return (
    <Dialog.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className={backdropClass} />
        <Dialog.Popup className="fixed top-[12vh] left-1/2 z-50 w-[calc(100%-2rem)] max-w-xl -translate-x-1/2 overflow-hidden rounded-xl border bg-popover shadow-overlay outline-none overlay-fade">
          <Dialog.Title className="sr-only">Search and commands</Dialog.Title>
          <Palette onClose={onClose} navigate={navigate} />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

type PaletteProps = { onClose: () => void; navigate: (href: string) => void }

function Palette({ onClose, navigate }: PaletteProps) {
  const [ahead] = useState(takeTypedAhead)
  const [text, setText] = useState(ahead.text)
  useLayoutEffect(() => {
    setText(takeTypedAhead().text)
    endTypedAhead()
  }, [])
  const { groups, isAnswered } = usePaletteResults({ term: text.trim(), onClose, navigate })
  const results = groups.flatMap((group) => group.results)
  const choice = usePaletteChoice({ results, isAnswered, startsEntered: ahead.isEntered })
  const type = (typed: string) => {
    choice.forget()
    setText(typed)
  }
  return (
    <Command
      label="Search and commands"
      loop
      vimBindings={false}
      shouldFilter={false}
      disablePointerSelection
      {...choice.props}
    >
      <div className="flex items-center border-b pr-4">
        <Command.Input
          value={text}
          onValueChange={type}
          dir="auto"
          autoFocus
          placeholder="Go to a page, entity, record, user or image, or run an action"
          className="h-12 min-w-0 flex-1 bg-transparent px-4 text-[15px] outline-none placeholder:text-muted-foreground"
        />
        {choice.isWaiting && <LoaderCircleIcon aria-hidden className="size-4 animate-spin" />}
      </div>
      <Command.List className="max-h-[min(24rem,60vh)] overflow-y-auto p-1.5">
        <Command.Empty className="px-3 py-8 text-center text-muted-foreground">
          {isAnswered ? `Nothing matches “${text}”` : 'Searching…'}
        </Command.Empty>
        {groups.map(({ heading, results: shown }) => (
          <Group key={heading} heading={heading}>
            {shown.map((result) => (
              <Item key={result.id} {...result} />
            ))}
          </Group>
        ))}
      </Command.List>
    </Command>
  )
}
