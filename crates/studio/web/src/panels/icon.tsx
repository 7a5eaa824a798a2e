import { type IconName, ICONS } from '../icons';

export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={ICONS[name]} />
    </svg>
  );
}

interface ButtonProps {
  icon: IconName;
  label: string;
  /** A word to show with the icon. */
  word?: string | undefined;
  keys?: string;
  disabled?: boolean;
  onClick(): void;
}

/** A button with an icon; its label is for tooltips and screen readers. */
export function IconButton({ icon, label, word, keys, disabled, onClick }: ButtonProps) {
  const title = keys ? `${label} (${keys})` : label;
  return (
    <button
      type="button"
      class="icon-button"
      title={title}
      aria-label={label}
      disabled={disabled ?? false}
      onClick={onClick}
    >
      <Icon name={icon} />
      {word !== undefined && <span class="word">{word}</span>}
    </button>
  );
}
