class Runward < Formula
  desc "Command-execution layer for AI agents"
  homepage "{{ HOME }}"
  version "{{ VERSION }}"
  license any_of: ["MIT", "Apache-2.0"]

{{ ARCHIVES }}
  def install
    bin.install "runward"
    man1.install Dir["man/*.1"]
    bash_completion.install "completions/runward.bash" => "runward"
    zsh_completion.install "completions/_runward"
    fish_completion.install "completions/runward.fish"
  end

  test do
    assert_equal "runward #{version}", shell_output("#{bin}/runward --version").strip
    assert_equal "hi", shell_output("#{bin}/runward exec -- echo hi").strip
  end
end
