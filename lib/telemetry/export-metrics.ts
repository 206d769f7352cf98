import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http'
import type { Resource } from '@opentelemetry/resources'
import {
  MeterProvider,
  type MetricProducer,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics'
import { withOwnBudget } from '@/lib/db/budget'
import { readSamples } from '@/lib/metrics/read-metrics'
import { EXPORT_MS, resourceOf } from './resource'
import type { TelemetryDeps } from './start-telemetry'
import { toMetricData } from './to-metric-data'

/** As often as OpenTelemetry's SDKs do by default. */
const EXPORT_EVERY_MS = 60_000

/** The metrics of this process, under the names that `GET /api/metrics` has. */
export function exportMetrics(url: string, deps: TelemetryDeps): () => Promise<void> {
  const resource = resourceOf(deps.settings.OTEL_SERVICE_NAME)
  const reader = new PeriodicExportingMetricReader({
    exporter: new OTLPMetricExporter({ url, timeoutMillis: EXPORT_MS }),
    exportIntervalMillis: EXPORT_EVERY_MS,
    exportTimeoutMillis: EXPORT_MS,
    metricProducers: [samples(deps, resource)],
  })
  const provider = new MeterProvider({ resource, readers: [reader] })
  return () => provider.shutdown()
}

/** What is registered for Prometheus: one place measures. A database that does not answer in time must not keep other readings waiting. */
function samples(deps: TelemetryDeps, resource: Resource): MetricProducer {
  const startTime = new Date(performance.timeOrigin)
  return {
    async collect() {
      const signal = AbortSignal.timeout(EXPORT_MS)
      const found = await withOwnBudget({ signal }, () => readSamples(deps))
      const metrics = toMetricData(found, { startTime, endTime: new Date() })
      const scopeMetrics = [{ scope: { name: 'engine' }, metrics }]
      return { resourceMetrics: { resource, scopeMetrics }, errors: [] }
    },
  }
}
