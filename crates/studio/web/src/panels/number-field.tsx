import type { ComponentChildren } from 'preact';
import { useEffect, useId, useState } from 'preact/hooks';

import type { Range } from '../curve';

interface NumberFieldProps {
  label: string;
  about: string;
  value: string;
  standard: string | null;
  /** The number that is used without a value. */
  effective: number | null;
  min: number;
  integer: boolean;
  onChange(value: string): void;
  /** Called when the slider was moved. */
  onMove?(): void;
  /** Content below the slider, given its ends. */
  below?(range: Range): ComponentChildren;
}

/** Returns the end of a slider, with room for the next values to try. */
function reach(value: number, standard: number, integer: boolean): number {
  const size = Math.max(value * 2, standard * 4);
  return integer ? Math.max(16, size) : size || 1;
}

/** A number as a field and a slider; each change takes effect immediately. */
export function NumberField(props: NumberFieldProps) {
  const { label, about, value, standard, effective, min, integer, onChange } = props;
  const { onMove, below } = props;
  const id = useId();
  const number = Number(value || standard || (effective ?? min));
  const [max, setMax] = useState(reach(number, Number(standard ?? 0), integer));
  // The slider's end stays during a drag, and grows with the field's value.
  useEffect(() => {
    if (number > max) setMax(reach(number, Number(standard ?? 0), integer));
  }, [number, max, standard, integer]);
  return (
    <div class="field number">
      <label for={id} title={about}>
        {label}
      </label>
      <input
        id={id}
        type="number"
        min={min}
        step={integer ? 1 : 'any'}
        value={value}
        placeholder={effective === null ? '' : String(effective)}
        title={about}
        onInput={(event) => {
          if (event.currentTarget.validity.valid) onChange(event.currentTarget.value);
        }}
      />
      <input
        type="range"
        aria-label={`${label}, slider`}
        min={min}
        max={max}
        step={integer ? 1 : max / 200}
        value={number}
        onInput={(event) => {
          onMove?.();
          onChange(String(Number(event.currentTarget.value)));
        }}
      />
      {below?.([min, max])}
    </div>
  );
}
