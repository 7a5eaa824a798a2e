import { failureOf } from '../failure';

/** Explains why there is no prediction: one sentence, with folded details. */
export function FailureText({ error }: { error: string }) {
  const { sentence, advice, details } = failureOf(error);
  return (
    <div class="run-failure" role="alert">
      <p>
        {sentence}
        {sentence.endsWith('.') ? '' : '.'} {advice}
      </p>
      {details.length > 0 && (
        <details>
          <summary>Details</summary>
          <pre>{details.join('\n')}</pre>
        </details>
      )}
    </div>
  );
}
