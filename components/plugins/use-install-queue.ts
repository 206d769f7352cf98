'use client'
import { useSyncExternalStore } from 'react'
import { installQueue, type QueueItem } from './install-queue'

const NOTHING: readonly QueueItem[] = []

export const useInstallQueue = (): readonly QueueItem[] =>
  useSyncExternalStore(installQueue.subscribe, installQueue.get, () => NOTHING)
