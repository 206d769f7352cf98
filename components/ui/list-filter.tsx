import { SearchIcon } from 'lucide-react'
import { cn, controlClass } from './cn'

type Props = { label: string; text: string; onText: (text: string) => void }

/** Narrows a list that is on the page as a whole. */
export const ListFilter = ({ label, text, onText }: Props) => (
  <div className="relative w-full sm:w-72">
    <SearchIcon
      aria-hidden
      className="absolute top-1/2 left-2 size-3.5 -translate-y-1/2 text-muted-foreground"
    />
    <input
      type="search"
      dir="auto"
      data-page-search
      aria-label={label}
      placeholder={label}
      value={text}
      className={cn(controlClass, 'h-7 pl-7 text-[13px]')}
      onChange={(event) => onText(event.target.value)}
    />
  </div>
)
