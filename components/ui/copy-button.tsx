import { CheckIcon, CopyIcon, type LucideIcon } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Button } from './button'
import { toast } from './toast'

type Props = {
  text: string
  label?: string
  showLabel?: boolean
  icon?: LucideIcon
  className?: string
}

/** Copies `text` to the clipboard and confirms it. */
export function CopyButton(props: Props) {
  const { text, label = 'Copy', showLabel = false, icon = CopyIcon, className } = props
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [copied])
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      setCopied(true)
    } catch {
      toast.error('The browser refused to copy. Select the text and copy it by hand.')
    }
  }
  const Icon = copied ? CheckIcon : icon
  return (
    <Button
      variant={showLabel ? 'outline' : 'ghost'}
      size={showLabel ? 'md' : 'icon-sm'}
      className={className}
      aria-label={showLabel ? undefined : label}
      onClick={copy}
    >
      <Icon aria-hidden />
      {showLabel && label}
      <span aria-live="polite" className="sr-only">
        {copied ? 'Copied' : ''}
      </span>
    </Button>
  )
}

const SHOWN_MS = 1500
