import type { Tone } from '@/components/ui/status'

/** Of an HTTP status. */
export function toneOf(status: string): Tone {
  if (status.startsWith('2')) return 'success'
  if (status.startsWith('3')) return 'neutral'
  return status.startsWith('4') ? 'warning' : 'destructive'
}
