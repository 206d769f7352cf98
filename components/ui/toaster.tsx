import { useTheme } from 'next-themes'
import { useEffect } from 'react'
import { Toaster as Sonner, toast } from 'sonner'
import { onNoticesShown } from './toast'

/** Where `toast` shows and announces notices. */
export default function Toaster() {
  const { theme } = useTheme()
  useEffect(() => onNoticesShown(toast), [])
  return (
    <Sonner
      theme={theme as 'light' | 'dark' | 'system'}
      position="bottom-right"
      closeButton
      style={{ fontFamily: 'inherit' }}
      toastOptions={{
        style: {
          background: 'var(--popover)',
          color: 'var(--foreground)',
          border: '1px solid var(--border)',
          boxShadow: 'var(--shadow)',
          fontFamily: 'inherit',
        },
      }}
    />
  )
}
