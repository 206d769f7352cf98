import type { Deps } from '@/lib/deps'
import { setLineReader } from '@/lib/log'
import { setRecorder } from '@/lib/tracing/tracing'

/** What telemetry is made from. */
export type TelemetryDeps = Pick<Deps, 'settings' | 'log' | 'db' | 'dialect' | 'replicas'>

/** Sends what is left and stops. */
type Stop = () => Promise<void>

const shared = globalThis as typeof globalThis & { __engineTelemetry?: Stop[] }

/**
 * Sends spans, metrics and lines of the log by OTLP over HTTP when `OTEL_EXPORTER_OTLP_ENDPOINT` is set. Nothing of
 * OpenTelemetry is loaded otherwise. A collector that does not respond loses them and delays nothing.
 */
export async function startTelemetry(deps: TelemetryDeps): Promise<void> {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, ...settings } = deps.settings
  if (!endpoint || shared.__engineTelemetry) return
  const stops: Stop[] = []
  shared.__engineTelemetry = stops
  const base = endpoint.replace(/\/$/, '')
  if (settings.OTEL_TRACES_EXPORTER === 'otlp') stops.push(await sendSpans(base, deps))
  if (settings.OTEL_METRICS_EXPORTER === 'otlp') stops.push(await sendMetrics(base, deps))
  if (settings.OTEL_LOGS_EXPORTER === 'otlp') stops.push(await sendLog(base, deps))
  deps.log.info({ endpoint: new URL(endpoint).host }, 'telemetry is exported')
}

/** Takes as long as a collector may take. */
export async function stopTelemetry(): Promise<void> {
  const stops = shared.__engineTelemetry ?? []
  shared.__engineTelemetry = undefined
  await Promise.allSettled(stops.map((stop) => stop()))
}

async function sendSpans(base: string, { settings }: TelemetryDeps): Promise<Stop> {
  const { createRecorder } = await import('./export-spans')
  const { recorder, stop } = createRecorder(`${base}/v1/traces`, settings.OTEL_SERVICE_NAME)
  setRecorder(recorder)
  return () => {
    setRecorder(undefined)
    return stop()
  }
}

async function sendMetrics(base: string, deps: TelemetryDeps): Promise<Stop> {
  const { exportMetrics } = await import('./export-metrics')
  return exportMetrics(`${base}/v1/metrics`, deps)
}

async function sendLog(base: string, { settings }: TelemetryDeps): Promise<Stop> {
  const { exportLog } = await import('./export-log')
  const { readLine, stop } = exportLog(`${base}/v1/logs`, settings.OTEL_SERVICE_NAME)
  setLineReader(readLine)
  return () => {
    setLineReader(undefined)
    return stop()
  }
}
